import { describe, expect, it } from 'vitest';
import { templateContainer } from '../../../../../src-main/cluster-model/kinds/pods.ts';
import {
  type ConfigMapData,
  commandWords,
  environmentOf,
} from '../../../../../src-main/features/fleet/inference/engines/command-words.ts';
import { tokenUse } from '../../../../../src-main/features/fleet/inference/engines/engine-metrics.ts';
import { engineSettings } from '../../../../../src-main/features/fleet/inference/engines/engine-settings.ts';
import { shellWords } from '../../../../../src-main/features/fleet/inference/engines/shell-words.ts';

/** What is read of a container that is written like this. */
function read(container: object, configMap: ConfigMapData = () => undefined) {
  const parsed = templateContainer.parse({ name: 'main', ...container });
  const variables = environmentOf(parsed, configMap);
  return engineSettings({
    argv: commandWords(parsed, variables),
    withoutProgram: parsed.command.length === 0,
    variables,
    image: parsed.image ?? '',
  });
}

describe('vLLM', () => {
  it('is read from flags of either spelling', () => {
    expect(
      read({
        image: 'registry.example/mirror/vllm-openai:v0.9.1',
        args: [
          '--model=Qwen/Qwen3-32B-AWQ',
          '--quantization',
          'awq_marlin',
          '--max_model_len=32768',
          '--tensor-parallel-size',
          '2',
          '--enable-prefix-caching',
        ],
      }),
    ).toEqual({
      engine: 'vllm',
      model: 'Qwen/Qwen3-32B-AWQ',
      quantisation: 'awq_marlin',
      context_length: 32768,
      parallel: 2,
    });
  });

  it('is read from the model it is told to serve without a flag', () => {
    expect(read({ command: ['vllm', 'serve', 'openai/gpt-oss-20b', '--max-model-len', '32k'] })).toEqual({
      engine: 'vllm',
      model: 'openai/gpt-oss-20b',
      context_length: 32_000,
    });
    expect(read({ image: 'vllm/vllm-openai', args: ['openai/gpt-oss-20b'] }).model).toBe(
      'openai/gpt-oss-20b',
    );
  });

  it('is read from its module, and a quantised copy from its name', () => {
    expect(
      read({
        command: ['python3', '-m', 'vllm.entrypoints.openai.api_server'],
        args: ['--model', 'RedHatAI/Qwen3-32B-FP8', '--max-model-len', '-1'],
      }),
    ).toEqual({ engine: 'vllm', model: 'RedHatAI/Qwen3-32B-FP8', quantisation: 'fp8' });
  });

  it('is read from a script of a shell with its variables', () => {
    const script = `
      # warm the cache first
      export HF_HUB_OFFLINE=1; ls --model nothing-of-this &&
      exec vllm serve "$MODEL" \\
        --max-model-len \${CONTEXT:-8192} --tensor-parallel-size=\${GPUS}
    `;
    expect(
      read({
        command: ['/bin/sh', '-c', script],
        env: [
          { name: 'MODEL', value: 'Qwen/Qwen3-8B' },
          { name: 'GPUS', value: '4' },
        ],
      }),
    ).toEqual({ engine: 'vllm', model: 'Qwen/Qwen3-8B', context_length: 8192, parallel: 4 });
  });

  it('is read with variables that the kubelet puts in, also from ConfigMaps', () => {
    expect(
      read(
        {
          image: 'vllm/vllm-openai',
          args: ['--model', '$(HUB)/$(NAME)', '--max-model-len', '$(LENGTH)', '--seed', '$(UNKNOWN)'],
          env: [
            { name: 'HUB', value: 'Qwen' },
            { name: 'NAME', valueFrom: { configMapKeyRef: { name: 'model', key: 'name' } } },
            { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'hub', key: 'token' } } },
          ],
          envFrom: [{ configMapRef: { name: 'limits' } }],
        },
        (name) => ({ model: { name: 'Qwen3-8B' }, limits: { LENGTH: '16384' } })[name],
      ),
    ).toMatchObject({ model: 'Qwen/Qwen3-8B', context_length: 16384 });
  });
});

describe('llama.cpp', () => {
  it('is read from its file, which names the quantisation', () => {
    expect(
      read({
        image: 'ghcr.io/ggml-org/llama.cpp:server-cuda',
        args: ['-m', '/models/Qwen3-32B-Q4_K_M-00001-of-00002.gguf', '-c', '16384', '-ngl', '99'],
      }),
    ).toEqual({
      engine: 'llama.cpp',
      model: 'Qwen3-32B-Q4_K_M',
      quantisation: 'Q4_K_M',
      context_length: 16384,
    });
    expect(
      read({ command: ['llama-server', '--model', '/m/gpt-oss-20b-mxfp4.gguf', '--ctx-size', '0'] }),
    ).toEqual({
      engine: 'llama.cpp',
      model: 'gpt-oss-20b-mxfp4',
      quantisation: 'MXFP4',
    });
  });

  it('is read from its variables and from a repository of the hub', () => {
    expect(
      read({
        image: 'ghcr.io/ggml-org/llama.cpp:server',
        env: [
          { name: 'LLAMA_ARG_HF_REPO', value: 'unsloth/Qwen3-8B-GGUF:Q5_K_S' },
          { name: 'LLAMA_ARG_CTX_SIZE', value: '4096' },
        ],
      }),
    ).toEqual({
      engine: 'llama.cpp',
      model: 'unsloth/Qwen3-8B-GGUF',
      quantisation: 'Q5_K_S',
      context_length: 4096,
    });
  });
});

describe('TGI and Ollama', () => {
  it('are read from flags and variables', () => {
    expect(
      read({
        image: 'ghcr.io/huggingface/text-generation-inference:3.3',
        args: ['--quantize', 'eetq', '--max-total-tokens=8192'],
        env: [
          { name: 'MODEL_ID', value: 'mistralai/Mistral-7B-Instruct-v0.3' },
          { name: 'QUANTIZE', value: 'awq' },
          { name: 'NUM_SHARD', value: '2' },
        ],
      }),
    ).toEqual({
      engine: 'tgi',
      model: 'mistralai/Mistral-7B-Instruct-v0.3',
      quantisation: 'eetq',
      context_length: 8192,
      parallel: 2,
    });
    expect(
      read({
        image: 'ollama/ollama:0.9',
        command: ['sh', '-c', 'ollama serve & sleep 5; ollama pull llama3.1:8b-instruct-q4_K_M; wait'],
        env: [{ name: 'OLLAMA_CONTEXT_LENGTH', value: '8192' }],
      }),
    ).toEqual({
      engine: 'ollama',
      model: 'llama3.1:8b-instruct-q4_K_M',
      quantisation: 'q4_K_M',
      context_length: 8192,
    });
    expect(read({ image: 'ollama/ollama:0.9' })).toEqual({ engine: 'ollama' });
  });

  it('are not guessed for what is none of them', () => {
    expect(read({ image: 'registry.example/northgate/gateway:1', args: ['--model', 'x'] })).toEqual({});
  });
});

describe('the words of a script', () => {
  it('are those a shell would pass on', () => {
    const variables = new Map([['A', 'one two']]);
    expect(shellWords(`run '$A "x"' "$A \\" y" a\\ b --f=\${B:-d}''|tail`, variables)).toEqual([
      'run',
      '$A "x"',
      'one two " y',
      'a b',
      '--f=d',
      ';',
      'tail',
    ]);
    expect(shellWords('a $(date) # b\nc', variables)).toEqual(['a', '$(date)', ';', 'c']);
  });

  it('end with the script, also within a quote', () => {
    expect(shellWords(`run "never closed`, new Map())).toEqual(['run', 'never closed']);
    expect(shellWords('\\', new Map())).toEqual(['']);
  });
});

describe('token counters', () => {
  it('are summed over models, and by tenant where the samples name one', () => {
    const text = [
      '# HELP vllm:prompt_tokens_total Number of prefill tokens processed.',
      '# TYPE vllm:prompt_tokens_total counter',
      'vllm:prompt_tokens_total{engine="0",model_name="q",tenant="willow"} 1.5e+06',
      'vllm:prompt_tokens_total{engine="1",model_name="q",tenant="a \\"b\\", c"} 500',
      'vllm:generation_tokens_total{engine="0",model_name="q",tenant="willow"} 250000.0 1763723000000',
      'vllm:prompt_tokens_created{engine="0"} 1.7e+09',
      'vllm:generation_tokens_total{engine="0"} NaN',
    ].join('\n');
    expect(tokenUse(text, 'vllm')).toEqual({
      prompt: 1_500_500,
      generated: 250_000,
      byTenant: new Map([
        ['willow', 1_750_000],
        ['a "b", c', 500],
      ]),
    });
  });

  it('are absent when the metrics are those of something else', () => {
    expect(tokenUse('up 1\n', 'vllm')).toBeUndefined();
    expect(tokenUse('<html>not found</html>', 'llama.cpp')).toBeUndefined();
    expect(
      tokenUse('llamacpp:prompt_tokens_total 7\nllamacpp:tokens_predicted_total 9', 'llama.cpp'),
    ).toEqual({
      prompt: 7,
      generated: 9,
      byTenant: new Map(),
    });
  });
});
