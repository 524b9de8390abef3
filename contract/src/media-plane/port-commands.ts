/** A relay output or a digital input of a camera. */
export interface CameraPortState {
  /** `output-` or `input-` and the camera's own token. */
  readonly portId: string
  readonly direction: 'input' | 'output'
  /** Null: the camera hasn't said. */
  readonly state: 'active' | 'inactive' | null
  /** A relay switches back automatically after that; null: it stays as it is. */
  readonly pulseSeconds: number | null
}

export interface PortSwitch {
  readonly portId: string
  readonly state: 'active' | 'inactive'
}

export type SwitchedPort = { readonly kind: 'switched' | 'portNotFound' | 'isInput' }
