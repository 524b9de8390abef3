import type { CDPSession, Page } from 'playwright-core'

/** A software security key or platform authenticator, in Chromium via its protocol. */
export interface VirtualAuthenticator {
  /** The number of its passkeys. */
  count(): Promise<number>
  /** Whether the user unlocks it with fingerprint, face or PIN. */
  setUnlocks(unlocks: boolean): Promise<void>
  /** Whether the user answers at all; if not, requests wait. */
  setAnswers(answers: boolean): Promise<void>
}

/** Adds an authenticator for as long as the page exists. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const held = () => protocol.send('WebAuthn.getCredentials', { authenticatorId })
  return {
    count: async () => (await held()).credentials.length,
    setUnlocks: (isUserVerified) => send(protocol, 'WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    setAnswers: (enabled) => send(protocol, 'WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  }
}

async function send<Method extends Parameters<CDPSession['send']>[0]>(
  protocol: CDPSession,
  method: Method,
  given: Parameters<typeof protocol.send<Method>>[1],
): Promise<void> {
  await protocol.send(method, given)
}
