import { parentPort, workerData } from 'node:worker_threads'
import { reencode } from './reencode.ts'

// A separate thread: decoding a malicious file can take minutes, and a thread can be ended.
parentPort?.postMessage(reencode(Buffer.from(workerData as Uint8Array)))
