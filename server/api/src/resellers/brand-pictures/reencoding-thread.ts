import { parentPort, workerData } from 'node:worker_threads'
import { reencode } from './reencode.ts'

// A thread of its own: a file can be made so that decoding it takes minutes, and a thread can be ended.
parentPort?.postMessage(reencode(Buffer.from(workerData as Uint8Array)))
