export {
  createInference,
  type Inference,
  type InferenceEndpoint,
  InferenceError,
  type ModelMessage,
  type ModelPiece,
  type ModelTool,
} from './chat-completions.ts';
