declare global {
  interface Window {
    /** Not in every browser, and not yet in TypeScript's library. */
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL: (address: string) => string },
      ): {
        createScriptURL(address: string): string
      }
    }
  }
}

/**
 * The nonce that lets script of others into this page; undefined on a page that the server let none in on, as the embedded
 * ones. A nonce cannot be read out of the document's text, only so.
 */
const nonceOfPage = (): string | undefined =>
  document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || undefined

export const letsIn = (): boolean => nonceOfPage() !== undefined

/** Runs script of that address in this page, with all that script may do here. `name` is the one of its policy. */
export function runForeignScript(name: string, address: string): void {
  const nonce = nonceOfPage()
  if (nonce === undefined) return
  const policy = window.trustedTypes?.createPolicy(name, { createScriptURL: (given) => given })
  const script = document.createElement('script')
  script.async = true
  script.nonce = nonce
  script.src = policy?.createScriptURL(address) ?? address
  document.head.append(script)
}
