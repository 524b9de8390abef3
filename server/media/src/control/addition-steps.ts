import { type AdditionStep, additionStep } from '@sightline/contract/camera-additions'
import type { CameraFaultKind, RtspStep } from '../source/index.ts'

const order = additionStep.options

/** Whether the first step is beyond the second one. */
export const isBeyond = (step: AdditionStep | null, other: AdditionStep | null): boolean =>
  indexOf(step) > indexOf(other)
const indexOf = (step: AdditionStep | null): number => (step === null ? -1 : order.indexOf(step))

const further = (step: AdditionStep | null, other: AdditionStep | null): AdditionStep | null =>
  isBeyond(step, other) ? step : other

/** The steps that a connection by RTSP makes. */
export const stepOfRtsp: Readonly<Record<RtspStep, AdditionStep>> = {
  connected: 'reachable',
  responded: 'identified',
  accepted: 'signedIn',
  playing: 'streams',
}

/** The last step that a camera must have passed to fail in that way. */
const passedBefore: Readonly<Partial<Record<CameraFaultKind, AdditionStep>>> = {
  credentialsIncorrect: 'identified',
  authenticationUnsupported: 'identified',
  streamNotFound: 'signedIn',
  redirected: 'identified',
  transportUnsupported: 'signedIn',
  unsupportedCodec: 'signedIn',
  noVideo: 'signedIn',
  busy: 'signedIn',
  silent: 'streams',
  damaged: 'streams',
}

/**
 * How far the tries to add a camera came. Each try begins at the start; what is told to the owner never goes back before the
 * addition is over.
 */
export class AdditionSteps {
  readonly #floor: AdditionStep | null
  readonly #tell: (step: AdditionStep) => void
  #told: AdditionStep | null
  #current: AdditionStep | null

  /** `floor`: what was passed before; `tell` gets each further step once. */
  constructor(floor: AdditionStep | null, tell: (step: AdditionStep) => void) {
    this.#floor = floor
    this.#tell = tell
    this.#told = floor
    this.#current = floor
  }

  /** Of the current try. */
  get last(): AdditionStep | null {
    return this.#current
  }

  begin(): void {
    this.#current = this.#floor
  }

  reached(step: AdditionStep): void {
    this.#current = further(step, this.#current)
    if (!isBeyond(step, this.#told)) return
    this.#told = step
    this.#tell(step)
  }

  /** The current try failed in this way: the last step that succeeded. */
  failed(kind: CameraFaultKind): AdditionStep | null {
    this.#current = further(passedBefore[kind] ?? null, this.#current)
    return this.#current
  }
}
