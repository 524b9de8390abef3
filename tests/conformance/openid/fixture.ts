import { DEMO_PASSWORD, type RunningProduct } from '../../running-product.ts'
import { callApi, fetchToken } from '../../signed-in.ts'
import { operator } from '../operator.ts'
import { type ConformanceClient, relyingParty, type SignInResult, signIn } from './relying-party.ts'
import { SignInBrowser } from './sign-in-browser.ts'

export const EMAIL = 'owner@demo.example'
export const SCOPES = 'openid profile email phone address read'

/** The fixture of every module of the test plans. */
export interface Fixture {
  readonly origin: string
  readonly party: ConformanceClient
  /** Another client, which must get nothing with the first one's codes and tokens. */
  readonly other: ConformanceClient
  /** A new browser. */
  browser(): SignInBrowser
  /** A code that was used during the setup. */
  readonly used: { readonly signedIn: SignInResult; readonly at: number }
}

export async function openFixture(product: RunningProduct): Promise<Fixture> {
  const { origin } = product
  const register = async (name: string): Promise<ConformanceClient> => {
    const uris = { redirectUri: `https://${name}.example/back`, loggedOutUri: `https://${name}.example/signed-out` }
    const words = ['--redirect', uris.redirectUri, '--logged-out', uris.loggedOutUri, '--scope', SCOPES]
    return relyingParty(origin, { ...(await operator(product, 'add', '--name', name, ...words)), ...uris })
  }
  const [party, other] = [await register('one'), await register('two')]
  const token = await fetchToken(origin, EMAIL)
  const details = { phone: '+31201234567', country: 'NL' }
  await callApi(origin, token, 'PATCH users/self/details', details)
  const browser = () => new SignInBrowser(origin, { email: EMAIL, password: DEMO_PASSWORD })
  const used = await signIn(party, browser(), { more: { scope: SCOPES } })
  return { origin, party, other, browser, used: { signedIn: used, at: Date.now() } }
}

/** The rule of one module of a test plan, and its test. */
export interface TestModule {
  readonly rule: string
  readonly prove: (fixture: Fixture) => Promise<void>
}
