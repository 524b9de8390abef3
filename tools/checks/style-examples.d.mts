// Declarations for the examples of STYLE.md. Only the check of documentation examples uses them.
import type { ApiError as Refusal } from '@sightline/contract/errors'
import type { Result as Outcome, fail as refused, ok as succeeded } from '@sightline/platform/result'

declare global {
  type EpochMs = number & { readonly unit: 'ms since 1970' }
  type Minutes = number & { readonly unit: 'min' }
  const MS_PER_MINUTE: number

  type ApiError = Refusal
  type Result<Value, Failure> = Outcome<Value, Failure>
  const ok: typeof succeeded
  const fail: typeof refused

  interface Zone {
    readonly id: number
    readonly cameraCount: number
  }
  interface RemovedZone {
    readonly removed: number
  }

  interface WatchedCamera {
    readonly id: number
    readonly owner: string
    readonly lastSeen: EpochMs
    readonly setting: { readonly enabled: boolean; readonly alertDelay: Minutes }
  }
  interface Alert {
    readonly to: string
    readonly cameraId: number
    readonly since: EpochMs
  }
  function isOverdue(lastSeen: EpochMs, alertDelay: Minutes, now: EpochMs): boolean

  type ExportId = string & { readonly kind: 'export' }
  interface ExportJob {
    readonly cameraId: number
    readonly range: readonly [from: EpochMs, till: EpochMs]
    readonly status: 'Queued' | 'Done'
  }
  interface ExportFile {
    readonly path: string
  }
  type ReadFrames = (cameraId: number, range: ExportJob['range']) => Promise<readonly Uint8Array[]>
  type WriteFile = (bytes: Uint8Array) => Promise<ExportFile>
  function muxFragment(frames: readonly Uint8Array[]): Uint8Array

  function startPlayback(what: {
    readonly cameraId: number
    readonly from: EpochMs
    readonly to: EpochMs
    readonly muted: boolean
    readonly rate: number
  }): void
  const cameraId: number
  const from: EpochMs
  const to: EpochMs

  type StorageDays = 7 | 14 | 30 | 60 | 90 | 180 | 365 | 730

  const test: typeof import('vitest').test
  const expect: typeof import('vitest').expect
  interface OpenEngine {
    readonly url: string
  }
  const engines: readonly (readonly [name: string, open: () => OpenEngine])[]
  interface Client {
    get(path: string): Promise<unknown>
    patch(path: string, body: unknown): Promise<unknown>
  }
  function signedIn(engine: OpenEngine, as: { readonly rights: readonly string[] }): Promise<Client>
}
