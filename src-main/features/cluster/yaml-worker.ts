import { parentPort } from 'node:worker_threads';
import { objectYaml } from './object-yaml.ts';

/** The thread that writes one object, given as its JSON, as YAML. */
parentPort?.once('message', (json: string) => parentPort?.postMessage(objectYaml(JSON.parse(json))));
