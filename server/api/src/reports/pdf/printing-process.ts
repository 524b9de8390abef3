import { parentPort, workerData } from 'node:worker_threads'
import { type PrintOrder, print } from './print.ts'

// A separate thread, because laying out thousands of rows must not delay other requests.
parentPort?.postMessage(await print(workerData as PrintOrder))
