import * as z from 'zod/mini'

/** Letters and digits of all scripts (specification §8 "only letters and numbers", decision 23). */
const NAME_CHARACTERS = /^[\p{L}\p{M}\p{N}]*$/u

export const MAX_API_KEYS = 100
export const MAX_ALLOWED_ADDRESSES = 50

/** The error for the name of a key; undefined if it is valid. */
export function apiKeyNameProblem(name: string): string | undefined {
  if (!NAME_CHARACTERS.test(name)) return 'The name can contain only letters and numbers.'
  const length = [...name].length
  return length >= 3 && length <= 64 ? undefined : '3-64 characters'
}

const addressOrRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** The error for an address from which a key may be used; undefined if it is valid. */
export const allowedAddressProblem = (text: string): string | undefined =>
  z.safeParse(addressOrRange, text).success ? undefined : 'An IP address, or a range such as 192.0.2.0/24'
