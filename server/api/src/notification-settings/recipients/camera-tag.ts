import { createHash } from 'node:crypto'

/**
 * The tag of a push message about cameras: a message about the same ones replaces it on the screen, one about others doesn't. With
 * a name of at most 19 characters it is a topic of the push service too (RFC 8030 §5.4).
 */
export function cameraTag(name: string, cameraIds: readonly number[]): string {
  const [first, second] = cameraIds
  if (first !== undefined && second === undefined) return `${name}-${first}`
  const ids = [...cameraIds].sort((one, other) => one - other)
  return `${name}-${createHash('sha256').update(ids.join()).digest('base64url').slice(0, 12)}`
}
