/** What a camera can be asked about its direction. Speeds and directions are from -1 to 1: right, up and closer are positive. */
export interface PtzVelocity {
  readonly pan: number
  readonly tilt: number
  readonly zoom: number
}

/** `moverId` is the same for everything that one person does in one place; someone else waits until they stop. */
export type PtzAction = { readonly moverId: string } & (
  | (PtzVelocity & {
      readonly kind: 'move'
      /** Grows with each action of a mover, so that one that was overtaken on its way is ignored; null: unknown. */
      readonly sequence: number | null
      /** The camera is stopped after so many milliseconds, unless another move comes first. */
      readonly holdMs: number
    })
  | { readonly kind: 'stop'; readonly sequence: number | null }
  | { readonly kind: 'goto'; readonly presetId: string }
  /** A point of the picture from 0 to 1, from its upper left corner. */
  | { readonly kind: 'center'; readonly x: number; readonly y: number }
  | { readonly kind: 'home' }
)

/** `busy`: someone else is moving the camera. */
export type PtzActionAnswer = { readonly kind: 'done' | 'busy' | 'presetNotFound' }

export interface PtzAbilities {
  readonly panTilt: boolean
  readonly zoom: boolean
  readonly absolute: boolean
  readonly relative: boolean
  readonly continuous: boolean
  readonly center: boolean
  readonly home: boolean
  /** How many presets the camera has room for. */
  readonly presets: number
}

/** `presetId` is the camera's own. */
export interface CameraPreset {
  readonly presetId: string
  readonly name: string
}

/** Without `presetId` a new preset is made; with it, the preset gets the camera's current view and the name. */
export interface NewPtzPreset {
  readonly name: string
  readonly presetId?: string | undefined
}

export type SavedPtzPreset =
  | { readonly kind: 'saved'; readonly preset: CameraPreset }
  | { readonly kind: 'full' | 'presetNotFound' }
