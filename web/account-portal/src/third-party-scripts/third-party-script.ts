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
 * The nonce for third-party scripts on this page; undefined if the server allowed none, as on embedded pages. Scripts
 * can read a nonce only through this property.
 */
const nonceOfPage = (): string | undefined =>
  document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce || undefined

export const isScriptAllowed = (): boolean => nonceOfPage() !== undefined

/**
 * Runs the script at that address in this page, with all permissions of the page. `name` is the name of its Trusted
 * Types policy.
 */
export function runThirdPartyScript(name: string, address: string): void {
  const nonce = nonceOfPage()
  if (nonce === undefined) return
  const policy = window.trustedTypes?.createPolicy(name, { createScriptURL: (given) => given })
  const script = document.createElement('script')
  script.async = true
  script.nonce = nonce
  script.src = policy?.createScriptURL(address) ?? address
  document.head.append(script)
}
