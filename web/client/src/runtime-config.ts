import { type RuntimeConfig, runtimeConfig } from '@sightline/contract/runtime-config'
import * as z from 'zod/mini'

/**
 * Loads the run-time configuration of this host (specification §3 "Runtime config"): the servers' addresses and the
 * brand. Rejects if it can't be loaded, because no screen works without it.
 */
export async function loadConfig(address = '/config.json'): Promise<RuntimeConfig> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address}: HTTP ${response.status} instead of the configuration`)
  return z.parse(runtimeConfig, await response.json())
}
