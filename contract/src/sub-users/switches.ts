import * as z from 'zod/mini'
import type { ApiError } from '../errors/index.ts'
import { allRights, mandatoryRights, type Right, userRights } from '../rights/index.ts'

/** Switches by name; omitted ones don't change. */
export const rightSwitches = z.partial(userRights)
export type RightSwitches = Partial<Record<Right, boolean | undefined>>

/** All switches in the order of the specification. */
export const toRightSwitches = (isOn: (right: Right) => boolean): Record<Right, boolean> =>
  Object.fromEntries(allRights.map((right) => [right, isOn(right)])) as Record<Right, boolean>

export const isMandatory = (right: string): boolean => mandatoryRights.some((mandatory) => mandatory === right)

/** In the order of the specification, without mandatory rights and unknown names. */
export const storedRights = (rights: Iterable<string>): readonly Right[] => {
  const on = new Set(rights)
  return allRights.filter((right) => on.has(right) && !isMandatory(right))
}

/** The granted rights after these switches. */
export const switched = (current: readonly Right[], switches: RightSwitches): readonly Right[] =>
  storedRights(allRights.filter((right) => switches[right] ?? current.includes(right)))

/** Why these switches are invalid: mandatory rights stay on (code 3). */
export function mandatoryFault(switches: RightSwitches): ApiError | undefined {
  const off = mandatoryRights.filter((right) => switches[right] === false)
  if (off.length === 0) return undefined
  return {
    error: 'validation',
    detail: `these rights can't be turned off: ${off.join(', ')}`,
    fields: off.map((field) => ({ field, message: "This right can't be turned off" })),
  }
}
