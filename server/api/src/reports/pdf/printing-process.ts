import { parentPort, workerData } from 'node:worker_threads'
import { type PrintOrder, print } from './print.ts'

// A thread of its own: laying out thousands of rows must not keep other requests waiting.
parentPort?.postMessage(await print(workerData as PrintOrder))
