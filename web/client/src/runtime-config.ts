import { type RuntimeConfig, runtimeConfig } from '@sightline/contract/runtime-config'
import * as z from 'zod/mini'

/**
 * The run-time configuration of this host (specification §3 "Runtime config"): where the servers are, and the brand.
 * Rejects where it cannot be loaded, because nothing can be shown without it.
 */
export async function loadConfig(address = '/config.json'): Promise<RuntimeConfig> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address}: HTTP ${response.status} instead of the configuration`)
  return z.parse(runtimeConfig, await response.json())
}
