/**
 * Signs in with a passkey: by the button, and if the form has a field for it, also by the browser's suggestions there.
 * Posts the form as if the user had filled it in. The page contains the function's source, so it can't use anything
 * outside.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: it is sent as its own source, so nothing of it can stand outside.
export function runPasskeys(): void {
  /** A challenge is valid for five minutes, but the browser's suggestions in a field may wait for hours. */
  const RENEWED_MS = 240_000
  const form = document.querySelector<HTMLFormElement>('form[data-passkeys]')
  const answer = form?.querySelector<HTMLInputElement>('input[name=passkey]')
  const button = form?.querySelector('button')
  const problem = form?.querySelector<HTMLElement>('[data-failed]')
  if (!form || !answer || !button || !problem || !window.PublicKeyCredential) return
  const { passkeys = '' } = form.dataset
  let waiting = new AbortController()

  const toBytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  const toText = (bytes: ArrayBuffer) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(
      /[+/=]/g,
      (sign) => ({ '+': '-', '/': '_' })[sign] ?? '',
    )

  async function fetchOptions(): Promise<PublicKeyCredentialRequestOptions> {
    const reply = await fetch(passkeys, { method: 'POST' })
    if (!reply.ok) throw new Error(`asked for a passkey, got ${reply.status}`)
    const options = await reply.json()
    const allowed = options.allowCredentials?.map((one: { id: string }) => ({ ...one, id: toBytes(one.id) }))
    return { ...options, challenge: toBytes(options.challenge), ...(allowed ? { allowCredentials: allowed } : {}) }
  }

  /** One at a time: the server stores only the latest challenge, and that one has to be signed. */
  let lastAsked: Promise<unknown> = Promise.resolve()
  function askServer(): Promise<PublicKeyCredentialRequestOptions> {
    const asked = lastAsked.then(fetchOptions, fetchOptions)
    lastAsked = asked
    return asked
  }

  async function sign(mediation: 'conditional' | undefined): Promise<void> {
    waiting.abort()
    waiting = new AbortController()
    const { signal } = waiting
    const publicKey = await askServer()
    if (signal.aborted) return
    const given = await navigator.credentials.get({ publicKey, signal, ...(mediation ? { mediation } : {}) })
    if (!(given instanceof PublicKeyCredential) || !(given.response instanceof AuthenticatorAssertionResponse)) return
    const { clientDataJSON, authenticatorData, signature, userHandle } = given.response
    const response = {
      clientDataJSON: toText(clientDataJSON),
      authenticatorData: toText(authenticatorData),
      signature: toText(signature),
      userHandle: userHandle ? toText(userHandle) : null,
    }
    if (!form || !answer || signal.aborted) return
    answer.value = JSON.stringify({ id: given.id, type: given.type, response })
    form.submit()
  }

  let isAsking = false
  /** Not while a response is pending: a newer challenge would invalidate it. */
  const offer = async () => {
    if (!isAsking && answer.value === '') await sign('conditional').catch(() => undefined)
  }
  const ask = async () => {
    isAsking = true
    problem.hidden = true
    await sign(undefined).catch(() => {
      problem.hidden = false
    })
    isAsking = false
    if (mayOffer) await offer()
  }
  let mayOffer = false
  const startOffering = async () => {
    if (!document.querySelector('[autocomplete~=webauthn]')) return
    mayOffer = (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true
    if (!mayOffer) return
    setInterval(() => void offer(), RENEWED_MS)
    await offer()
  }
  button.addEventListener('click', () => void ask())
  form.hidden = false
  void startOffering()
}
