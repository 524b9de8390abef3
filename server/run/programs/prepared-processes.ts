import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { forkSimulator } from '@sightline/camera-simulator/launch'
import { forkChild } from '../compose/child-process.ts'

/** Program of a media worker. */
export const MEDIA_WORKER = fileURLToPath(new URL('./media.ts', import.meta.url))

/** Processes that load their programs while this one loads its own, and then wait for their settings. */
export interface PreparedProcesses extends Disposable {
  readonly mediaWorker: ChildProcess
  /** Only for a demonstration with simulated cameras. */
  readonly simulator: ChildProcess | undefined
  /** Ends the simulator, which an installation without demonstration does not need. */
  dismissSimulator(): void
}

export function prepareProcesses({ simulatesCameras }: { readonly simulatesCameras: boolean }): PreparedProcesses {
  const mediaWorker = forkChild(MEDIA_WORKER)
  const simulator = simulatesCameras ? forkSimulator({ loadsScenes: true }) : undefined
  return {
    mediaWorker,
    simulator,
    dismissSimulator: () => void simulator?.kill('SIGKILL'),
    // Used ones have been stopped by then; a start that failed midway leaves none behind.
    [Symbol.dispose]() {
      mediaWorker.kill('SIGKILL')
      simulator?.kill('SIGKILL')
    },
  }
}
