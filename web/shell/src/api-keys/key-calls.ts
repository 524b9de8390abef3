import type { ApiKey, ApiKeyWithSecret } from '@sightline/contract/api-keys'
import type { keyBody } from './key-form.ts'

/** The calls about keys of one owner: an account, or a reseller. */
export interface KeyCalls {
  /** They act as staff, who may let one set up accounts and subscriptions. */
  readonly isStaff: boolean
  /** Where their list is kept among the queries. */
  readonly queryKey: readonly unknown[]
  list(signal: AbortSignal): Promise<readonly ApiKey[]>
  add(body: ReturnType<typeof keyBody>): Promise<ApiKeyWithSecret>
  change(apiKeyId: number, body: ReturnType<typeof keyBody>): Promise<ApiKey>
  rotate(apiKeyId: number, body: { readonly endOldSecret: boolean }): Promise<ApiKeyWithSecret>
  remove(apiKeyId: number): Promise<unknown>
}
