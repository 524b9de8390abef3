/** What a camera can be asked about its lens. Speeds and distances are from -1 to 1: farther is positive. */
export type FocusAction =
  /** The lens is stopped after so many milliseconds, unless another move comes first. */
  | { readonly kind: 'move'; readonly speed: number; readonly holdMs: number }
  | { readonly kind: 'stop' }
  | { readonly kind: 'step'; readonly distance: number }
  /** The camera uses autofocus from then on. */
  | { readonly kind: 'auto' }

export interface FocusAbilities {
  readonly continuous: boolean
  readonly relative: boolean
  readonly auto: boolean
  /** Null if the camera doesn't say. */
  readonly mode: 'auto' | 'manual' | null
}
