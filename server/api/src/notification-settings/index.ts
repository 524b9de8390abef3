import type { ApiError } from '@sightline/contract/errors'
import {
  ALERT_DELAYS,
  ALERT_REPEATS,
  getNotificationSettings,
  getSupportedNotificationSettings,
  type NotificationChoices,
  type NotificationSetting,
  type NotificationSettingPatch,
  type NotificationType,
  notificationChoices,
  notificationTypes,
  patchNotificationSetting,
} from '@sightline/contract/notification-settings'
import type { Db, Tx } from '@sightline/platform/db'
import { serve, serveChange } from '@sightline/platform/http'
import { fail, ok } from '@sightline/platform/result'
import type { MemberCaller } from '@sightline/platform/sessions'
import { accessibleCameras } from '../cameras/index.ts'
import { lockUser } from '../users/index.ts'
import { listZones } from '../zones/index.ts'
import { findType, patchFault, withChanges } from './rules.ts'
import { loadSetting, loadSettings, saveSetting } from './store.ts'

export { canShowPicture } from './recipients/shown-picture.ts'
export { loadSettings } from './store.ts'

const noSuchType: ApiError = {
  error: 'notFound',
  detail: `unknown notification type: expected one of ${notificationTypes.join(', ')}`,
}
const noSuchCamera: ApiError = {
  error: 'notFound',
  detail: "a camera or zone was not found, or you don't have access to it",
}

/** How the caller is notified; `alerts`, `event-alerts` and `trouble-alerts` send the alerts. */
export const notificationSettings = ({ db }: { readonly db: Db }) => [
  serve(getNotificationSettings, async (caller) =>
    ok(
      await db.inTenant(caller, async (tx) => {
        const settings = await loadSettings(tx, caller)
        const scope = await loadScope(tx, caller, settings)
        return settings.map((setting) => inScope(setting, scope))
      }),
    ),
  ),

  serveChange(patchNotificationSetting, async (change, { params, body }) => {
    const { caller } = change
    const type = findType(params.type)
    if (type === undefined) return fail(noSuchType)
    return change.tx(caller, async (tx) => {
      await lockUser(tx, caller)
      const stored = await loadSetting(tx, caller, type)
      const scope = await loadScope(tx, caller, [stored, body])
      const before = inScope(stored, scope)
      change.ifMatch(before)
      const fault = patchFault(before, body)
      if (fault !== undefined) return fail(fault)
      if (!isWithin(body, scope)) return fail(noSuchCamera)
      const after = withChanges(before, body)
      await saveSetting(tx, caller, after)
      const entry = { action: 'patchNotificationSetting', target: { kind: 'user', id: caller.userId }, before, after }
      await change.audit(entry)
      return ok(after)
    })
  }),

  serve(getSupportedNotificationSettings, async () =>
    ok({
      cameraOfflineAlertDelay: [...ALERT_DELAYS],
      cameraOfflineAlertRepeat: [...ALERT_REPEATS],
      types: Object.fromEntries(notificationTypes.map((type) => [type, toLists(notificationChoices[type])])) as Record<
        NotificationType,
        ReturnType<typeof toLists>
      >,
    }),
  ),
]

const toLists = ({ alertDelay, alertRepeat, cooldown }: NotificationChoices) => ({
  alertDelay: [...alertDelay],
  alertRepeat: [...alertRepeat],
  cooldown: [...cooldown],
})

/** The cameras and zones that the caller has access to. */
interface Scope {
  readonly cameras: ReadonlySet<number>
  readonly zones: ReadonlySet<number>
}

type Lists = Pick<NotificationSettingPatch, 'cameraIds' | 'zoneIds'>

/** Only looked up if any of them names a camera or zone. */
async function loadScope(tx: Tx, caller: MemberCaller, named: readonly Lists[]): Promise<Scope> {
  const isNamed = (lists: readonly (readonly number[] | undefined)[]) => lists.some((ids) => (ids?.length ?? 0) > 0)
  const cameras = isNamed(named.map(({ cameraIds }) => cameraIds))
    ? await accessibleCameras(tx, caller).select('cameras.camera_id').execute()
    : []
  const zones = isNamed(named.map(({ zoneIds }) => zoneIds)) ? await listZones(tx, caller) : []
  return {
    cameras: new Set(cameras.map(({ camera_id }) => camera_id)),
    zones: new Set(zones.map(({ zoneId }) => zoneId)),
  }
}

const isWithin = ({ cameraIds = [], zoneIds = [] }: Lists, { cameras, zones }: Scope): boolean =>
  cameraIds.every((cameraId) => cameras.has(cameraId)) && zoneIds.every((zoneId) => zones.has(zoneId))

/** Without what was removed since, or is no longer the user's to see. */
const inScope = (setting: NotificationSetting, { cameras, zones }: Scope): NotificationSetting => ({
  ...setting,
  cameraIds: setting.cameraIds.filter((cameraId) => cameras.has(cameraId)),
  zoneIds: setting.zoneIds.filter((zoneId) => zones.has(zoneId)),
})
