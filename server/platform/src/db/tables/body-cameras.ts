import type { Instant } from '../instant.ts'
import type { Nullable } from './column-kinds.ts'

export interface BodyCameraSetupCodesTable {
  account_id: number
  setup_code_id: number
  code_sha256: Buffer
  zone_id: number
  camera_name: string
  created_by: number
  expires_at: Instant
  camera_id: Nullable<number>
}

export interface BodyCamerasTable {
  account_id: number
  camera_id: number
  token_sha256: Buffer
  serial_number: string
}

export interface BodyCameraPositionsTable {
  account_id: number
  camera_id: number
  at: Instant
  latitude: number
  longitude: number
  heading: Nullable<number>
  speed: Nullable<number>
}
