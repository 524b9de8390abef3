interface TrustedTypes {
  readonly defaultPolicy: object | null
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string | null }): object
}

/**
 * If the page requires Trusted Types, lets it start a worker from this one address. It has to be the default policy, because
 * the map's library wants the address as a string. Everything else is refused as before.
 */
export function trustWorker(address: string): void {
  const { trustedTypes } = window as { readonly trustedTypes?: TrustedTypes }
  if (trustedTypes === undefined || trustedTypes.defaultPolicy !== null) return
  trustedTypes.createPolicy('default', { createScriptURL: (given) => (given === address ? given : null) })
}
