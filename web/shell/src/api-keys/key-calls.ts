import type { ApiKey, ApiKeyWithSecret } from '@sightline/contract/api-keys'
import type { keyBody } from './key-form.ts'

/** The calls for the keys of one owner: an account or a reseller. */
export interface KeyCalls {
  /** The keys act as staff, and can have provisioning of accounts and subscriptions. */
  readonly isStaff: boolean
  /** The query key of their list. */
  readonly queryKey: readonly unknown[]
  list(signal: AbortSignal): Promise<readonly ApiKey[]>
  add(body: ReturnType<typeof keyBody>): Promise<ApiKeyWithSecret>
  change(apiKeyId: number, body: ReturnType<typeof keyBody>): Promise<ApiKey>
  rotate(apiKeyId: number, body: { readonly endOldSecret: boolean }): Promise<ApiKeyWithSecret>
  remove(apiKeyId: number): Promise<unknown>
}
