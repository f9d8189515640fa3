export {
  createInference,
  type Inference,
  InferenceError,
  type ModelPiece,
} from './chat-completions.ts';
