import { canAccessCamera, type Member, type ScopedCamera } from '../rights/index.ts'
import { steersText } from '../user-details/index.ts'

/** The most characters of a zone's or camera's name (decision 17). */
export const MAX_NAME_LENGTH = 64

/** What is wrong with the name of a zone or camera: 1-64 characters, none of them invisible ones that steer what shows them. */
export function zoneOrCameraNameProblem(which: 'Zone' | 'Camera', text: string): string | undefined {
  if (text.trim() === '') return `${which} name is required`
  if ([...text.trim()].length > MAX_NAME_LENGTH) return `${which} name should be 1-${MAX_NAME_LENGTH} characters`
  return steersText(text) ? `Please enter a valid ${which.toLowerCase()} name` : undefined
}

type Reach = Pick<Member, 'accountId' | 'isSuperUser' | 'access'>

/** A zone and all its cameras. */
export interface FilledZone {
  readonly accountId: number
  readonly zoneId: number
  readonly cameras: readonly ScopedCamera[]
}

/**
 * Whether a member has access to a whole zone: the owner, users with all cameras, and users with the zone. Only such a
 * zone can be changed, and cameras moved out of or into it: that changes access to them, which takes full access.
 */
export function holdsZone(who: Reach, zone: Pick<FilledZone, 'accountId' | 'zoneId'>): boolean {
  if (zone.accountId !== who.accountId) return false
  return who.isSuperUser || who.access.kind === 'all' || who.access.zoneIds.has(zone.zoneId)
}

/** Whether a member sees a zone: it is his, or a camera in it is. Others are as unknown to him as none. */
export const seesZone = (who: Reach, zone: FilledZone): boolean =>
  holdsZone(who, zone) ||
  (zone.accountId === who.accountId && zone.cameras.some((camera) => canAccessCamera(who, camera)))
