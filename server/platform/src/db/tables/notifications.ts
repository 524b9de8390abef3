import type { CameraWarning } from '@sightline/contract/cameras'
import type { NotificationType } from '@sightline/contract/notification-settings'
import type { Preferences } from '@sightline/contract/preferences'
import type { Generated } from 'kysely'
import type { Instant, NullableInstant } from '../instant.ts'
import type { Json, JsonObject, Nullable, ReadOnly } from './column-kinds.ts'

export interface NotificationSettingsTable {
  account_id: number
  user_id: number
  type: NotificationType
  enabled: boolean
  alert_by_email: boolean
  alert_by_push: boolean
  alert_delay_minutes: number
  /** 0: never. */
  alert_repeat_minutes: number
  cooldown_minutes: Generated<number>
  include_picture: Generated<boolean>
  /** HH:mm; null: no quiet hours. */
  quiet_from: Nullable<string>
  quiet_to: Nullable<string>
  all_cameras: Generated<boolean>
  camera_ids: Generated<readonly number[]>
  zone_ids: Generated<readonly number[]>
}

/** Events that users want to be notified about, until they are handled. */
export interface AlertEventsTable {
  account_id: number
  alert_event_id: ReadOnly<number>
  camera_id: ReadOnly<number>
  type: ReadOnly<EventAlertType>
  event_id: ReadOnly<number>
  at: ReadOnly<number>
}

type EventAlertType = 'cameraUp' | 'motion' | 'audio' | 'deviceTampered'

/** What waits until a user's next alert about a camera, and when the last one was. */
export interface EventAlertsTable {
  account_id: number
  user_id: number
  camera_id: number
  type: EventAlertType
  /** Events since the last alert. */
  waiting: number
  /** The first of them. */
  event_id: Nullable<number>
  first_at: NullableInstant
  last_at: NullableInstant
  told_at: NullableInstant
}

/** Decided alerts that are not written yet. */
export interface AlertMessagesTable {
  account_id: number
  alert_message_id: number
  user_id: number
  type: NotificationType
  content: Json<JsonObject>
  created_at: Instant
}

/** What is wrong with a camera, besides its connection. */
export interface CameraWarningsTable {
  account_id: number
  camera_id: number
  warning: 'clockWrong' | 'eventsLost' | 'storageFull'
  since: Instant
  last_at: Instant
}

/** Who was notified of which trouble of a camera, and since when it lasted. */
export interface TroubleAlertsTable {
  account_id: number
  user_id: number
  camera_id: number
  trouble: string
  since: Instant
  told_at: Instant
}

export interface DismissedWarningsTable {
  account_id: number
  user_id: number
  camera_id: number
  warning: CameraWarning
  dismissed_at: Instant
}

export interface CameraMaintenanceTable {
  account_id: number
  camera_id: number
  /** Null: until changed. */
  until: NullableInstant
}

export interface PushDevicesTable {
  account_id: number
  push_device_id: number
  user_id: number
  platform: 'web'
  endpoint_sha256: Buffer
  subscription_sealed: Buffer
  app_version: Nullable<string>
  locale: Nullable<string>
  created_at: Instant
  seen_at: Instant
  tested_at: NullableInstant
}

export interface PushMessagesTable {
  account_id: number
  push_message_id: number
  push_device_id: number
  content_sealed: Buffer
  topic: string
  give_up_at: Instant
}

/** Who was notified that a camera is offline, and since when. */
export interface CameraAlertsTable {
  account_id: number
  user_id: number
  camera_id: number
  offline_since: Instant
  told_at: Instant
}

/** The version of its brand's subscription agreement that a user accepted. */
export interface AgreementsTable {
  account_id: number
  user_id: number
  version: string
  accepted_at: Instant
}

export interface UserPreferencesTable {
  account_id: number
  user_id: number
  preferences: Json<Preferences>
}
