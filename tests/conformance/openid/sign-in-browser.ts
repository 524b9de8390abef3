/** A minimal browser for sign-ins: cookies, forms submitted from their own page, and the user's answers. */
export class SignInBrowser {
  readonly #origin: string
  readonly #who: { readonly email: string; readonly password: string }
  readonly #jar = new Map<string, string>()

  constructor(origin: string, who: { readonly email: string; readonly password: string }) {
    this.#origin = origin
    this.#who = who
  }

  /** Makes one request without following redirects. */
  async request(address: URL, form?: URLSearchParams): Promise<Response> {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; '), origin: this.#origin },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/expires=Thu, 01 Jan 1970/i.test(line)) this.#jar.delete(name)
    else this.#jar.set(name, value)
  }

  /**
   * Follows redirects and answers sign-in and consent pages until it leaves the product or reaches a page that is neither.
   */
  async visit(address: URL, form?: URLSearchParams): Promise<BrowserVisit> {
    const asked: Question[] = []
    let response = await this.request(address, form)
    let at = address
    for (let hops = 0; hops < 12; hops += 1) {
      const location = response.headers.get('location')
      if (location !== null) {
        at = new URL(location, at)
        if (at.origin !== this.#origin) return { asked, back: at, status: response.status, html: '' }
        response = await this.request(at)
        continue
      }
      const html = await response.text()
      const question = questionIn(html)
      if (question === undefined) return { asked, back: undefined, status: response.status, html }
      asked.push({ ...question, html })
      const answer: Record<string, string> = question.kind === 'sign-in' ? { ...this.#who } : { decision: 'allow' }
      response = await this.request(at, new URLSearchParams(answer))
    }
    throw new Error('signing in leads nowhere')
  }
}

export interface Question {
  readonly kind: 'sign-in' | 'consent'
  readonly html: string
}

export interface BrowserVisit {
  /** The pages that asked something. */
  readonly asked: readonly Question[]
  /** The URL outside the product that it was redirected to. */
  readonly back: URL | undefined
  /** The last response's status, and its page if it was not a redirect. */
  readonly status: number
  readonly html: string
}

function questionIn(html: string): Pick<Question, 'kind'> | undefined {
  if (html.includes('name="password"')) return { kind: 'sign-in' }
  return html.includes('name="decision"') ? { kind: 'consent' } : undefined
}

/** The URL that a visit returned to; throws with the page if there is none. */
export function backUrl({ back, status, html }: BrowserVisit): URL {
  if (back === undefined) throw new Error(`no way back to the client, but ${status}: ${html.slice(0, 500)}`)
  return back
}
