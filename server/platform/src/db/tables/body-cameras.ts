import type { Instant } from '../instant.ts'
import type { Nullable, NullableJson } from './column-kinds.ts'

/** As in `GET cameras/{cameraId}/mobileNetwork`. */
export interface MobileNetworkJson {
  readonly name: string
  readonly accessPointName: string
  readonly userName: string | null
  readonly needsPassword: boolean
  readonly mobileCountryCode: string
  readonly mobileNetworkCode: string
}

export interface BodyCameraSetupCodesTable {
  account_id: number
  setup_code_id: number
  code_sha256: Buffer
  zone_id: number
  camera_name: string
  created_by: number
  expires_at: Instant
  camera_id: Nullable<number>
  mobile_network: NullableJson<MobileNetworkJson>
}

export interface BodyCamerasTable {
  account_id: number
  camera_id: number
  token_sha256: Buffer
  serial_number: string
  mobile_network: NullableJson<MobileNetworkJson>
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
