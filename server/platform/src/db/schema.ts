import type { AuditChainTable, AuditCheckpointsTable, AuditLogTable, AuditUnsealedTable } from './tables/audit.ts'
import type {
  AccessSessionsTable,
  ActionLinksTable,
  ClientsTable,
  ConsentsTable,
  CredentialsTable,
  DemonstrationsView,
  EmailChangesTable,
  FailuresTable,
  KnownDevicesTable,
  LockdownsTable,
  MailOutboxTable,
  MailRequestsTable,
  PasskeyChallengesTable,
  PasskeysTable,
  PeopleView,
  ProviderRecordsTable,
  RecoveryCodesTable,
  SessionsView,
  SignInHistoryTable,
  TwoFactorTable,
  UserSessionsTable,
} from './tables/auth.ts'
import type { BodyCameraPositionsTable, BodyCameraSetupCodesTable, BodyCamerasTable } from './tables/body-cameras.ts'
import type {
  DeviceChannelsTable,
  DeviceJobsTable,
  DeviceLogTable,
  DeviceMaintenanceTable,
  DeviceStatusTable,
} from './tables/devices.ts'
import type { ErasedPeopleView, ErasuresTable } from './tables/erasures.ts'
import type { EventsTable } from './tables/events.ts'
import type { ExportLinksTable, ExportsTable } from './tables/exports.ts'
import type { FirmwareImagesTable, FirmwarePartsTable } from './tables/firmware.ts'
import type {
  IdBlocksTable,
  IdempotencyKeysTable,
  InstallationTable,
  SchemaMigrationsTable,
} from './tables/installation.ts'
import type { AdministeredJobsView, JobTasksTable, JobWorkersTable } from './tables/jobs.ts'
import type {
  CameraCapabilitiesTable,
  CameraCheckUpsTable,
  CameraHabitsTable,
  CameraLeasesTable,
  CameraLogTable,
  CameraNetworksTable,
  CameraPasswordChangesTable,
  CameraPlansTable,
  CameraPortsTable,
  CameraReplacementsTable,
  CameraStatisticsTable,
  CameraStatusTable,
  CameraTransfersTable,
  FootageAccountKeysTable,
  FootageDayKeysTable,
  FootageDeletionRequestsTable,
  FootageDeletionsTable,
  FootageHeadsTable,
  FootageLocksTable,
  FormerCamerasTable,
  MacClaimsTable,
  MediaMachinesTable,
  MediaWorkersTable,
  RecordingDaysTable,
  RecordingRunsTable,
  RemovedCamerasTable,
  RemovedConnectionsTable,
  ReportSchedulesTable,
  ReportsTable,
  StreamTicketsTable,
  SyncJobsTable,
} from './tables/media.ts'
import type {
  AgreementsTable,
  AlertEventsTable,
  AlertMessagesTable,
  CameraAlertsTable,
  CameraMaintenanceTable,
  CameraWarningsTable,
  DismissedWarningsTable,
  EventAlertsTable,
  NotificationSettingsTable,
  PushDevicesTable,
  PushMessagesTable,
  TroubleAlertsTable,
  UserPreferencesTable,
} from './tables/notifications.ts'
import type { DistributorDetailsView, ResellerDetailsView } from './tables/organisation-details.ts'
import type { SavedViewsTable } from './tables/saved-views.ts'
import type { SharesTable, ShareViewsTable } from './tables/shares.ts'
import type {
  AccountsTable,
  BrandHostsTable,
  CamerasTable,
  DevicesTable,
  DistributorsTable,
  MobileSubscriptionsTable,
  PermissionProfilesTable,
  ResellersTable,
  StaffAccountsTable,
  StaffTable,
  SubscriptionPackagesTable,
  SubscriptionsTable,
  UserCamerasTable,
  UsersTable,
  UserZonesTable,
  ZonesTable,
} from './tables/tenancy.ts'

/** The provider itself, whose staff are administrators (docs/decisions/0003: one id space). */
export const PROVIDER_ID = 2

/** One type per table, as the migrations make it. The schema's table of contents. */
export interface Database {
  installation: InstallationTable
  id_blocks: IdBlocksTable
  schema_migrations: SchemaMigrationsTable
  distributors: DistributorsTable
  resellers: ResellersTable
  distributor_details: DistributorDetailsView
  reseller_details: ResellerDetailsView
  brand_hosts: BrandHostsTable
  staff: StaffTable
  staff_accounts: StaffAccountsTable
  permission_profiles: PermissionProfilesTable
  subscription_packages: SubscriptionPackagesTable
  accounts: AccountsTable
  subscriptions: SubscriptionsTable
  users: UsersTable
  zones: ZonesTable
  mobile_subscriptions: MobileSubscriptionsTable
  body_camera_setup_codes: BodyCameraSetupCodesTable
  body_cameras: BodyCamerasTable
  body_camera_positions: BodyCameraPositionsTable
  cameras: CamerasTable
  devices: DevicesTable
  device_channels: DeviceChannelsTable
  device_status: DeviceStatusTable
  device_maintenance: DeviceMaintenanceTable
  device_jobs: DeviceJobsTable
  firmware_images: FirmwareImagesTable
  firmware_parts: FirmwarePartsTable
  device_log: DeviceLogTable
  user_cameras: UserCamerasTable
  user_zones: UserZonesTable
  audit_log: AuditLogTable
  audit_unsealed: AuditUnsealedTable
  audit_chain: AuditChainTable
  audit_checkpoints: AuditCheckpointsTable
  'auth.people': PeopleView
  'auth.demonstrations': DemonstrationsView
  'auth.credentials': CredentialsTable
  'auth.provider_records': ProviderRecordsTable
  'auth.access_sessions': AccessSessionsTable
  'auth.failures': FailuresTable
  'auth.clients': ClientsTable
  'auth.consents': ConsentsTable
  'auth.action_links': ActionLinksTable
  'auth.mail_requests': MailRequestsTable
  'auth.two_factor': TwoFactorTable
  'auth.recovery_codes': RecoveryCodesTable
  'auth.user_sessions': UserSessionsTable
  'auth.sign_in_history': SignInHistoryTable
  'auth.known_devices': KnownDevicesTable
  'auth.lockdowns': LockdownsTable
  'auth.passkeys': PasskeysTable
  'auth.passkey_challenges': PasskeyChallengesTable
  email_changes: EmailChangesTable
  mail_outbox: MailOutboxTable
  sessions: SessionsView
  camera_statistics: CameraStatisticsTable
  camera_status: CameraStatusTable
  camera_capabilities: CameraCapabilitiesTable
  camera_check_ups: CameraCheckUpsTable
  camera_habits: CameraHabitsTable
  camera_password_changes: CameraPasswordChangesTable
  camera_ports: CameraPortsTable
  camera_log: CameraLogTable
  camera_plans: CameraPlansTable
  sync_jobs: SyncJobsTable
  camera_replacements: CameraReplacementsTable
  camera_transfers: CameraTransfersTable
  former_cameras: FormerCamerasTable
  camera_networks: CameraNetworksTable
  removed_cameras: RemovedCamerasTable
  removed_connections: RemovedConnectionsTable
  mac_claims: MacClaimsTable
  report_schedules: ReportSchedulesTable
  reports: ReportsTable
  camera_leases: CameraLeasesTable
  media_machines: MediaMachinesTable
  media_workers: MediaWorkersTable
  recording_runs: RecordingRunsTable
  recording_days: RecordingDaysTable
  exports: ExportsTable
  export_links: ExportLinksTable
  saved_views: SavedViewsTable
  shares: SharesTable
  share_views: ShareViewsTable
  footage_locks: FootageLocksTable
  footage_deletions: FootageDeletionsTable
  footage_deletion_requests: FootageDeletionRequestsTable
  events: EventsTable
  footage_account_keys: FootageAccountKeysTable
  footage_day_keys: FootageDayKeysTable
  footage_heads: FootageHeadsTable
  stream_tickets: StreamTicketsTable
  idempotency_keys: IdempotencyKeysTable
  notification_settings: NotificationSettingsTable
  camera_maintenance: CameraMaintenanceTable
  camera_alerts: CameraAlertsTable
  alert_events: AlertEventsTable
  event_alerts: EventAlertsTable
  alert_messages: AlertMessagesTable
  camera_warnings: CameraWarningsTable
  trouble_alerts: TroubleAlertsTable
  dismissed_warnings: DismissedWarningsTable
  push_devices: PushDevicesTable
  push_messages: PushMessagesTable
  agreements: AgreementsTable
  user_preferences: UserPreferencesTable
  erasures: ErasuresTable
  erased_people: ErasedPeopleView
  job_tasks: JobTasksTable
  administered_jobs: AdministeredJobsView
  job_workers: JobWorkersTable
}
