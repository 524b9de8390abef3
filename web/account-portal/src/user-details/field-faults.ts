import type { ApiFailure } from '@sightline/client'

/** What the server found wrong with each of these fields, by the field's name; a fault elsewhere is not among them. */
export function faultsOf<Name extends string>(
  failure: ApiFailure,
  names: readonly Name[],
): { readonly [K in Name]?: string } {
  const faults = failure.fields.flatMap(({ field, message }) => {
    const name = names.find((one) => field === one || field === `body.${one}`)
    return name === undefined ? [] : [[name, message] as const]
  })
  return Object.fromEntries(faults) as { [K in Name]?: string }
}
