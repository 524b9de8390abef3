import type { RuntimeConfig } from '@sightline/contract/runtime-config'
import { element } from './page.ts'

/** The brand of this host: its logo, or its name. The page works without it. */
export async function showBrand(header: HTMLElement): Promise<void> {
  const reply = await fetch('/config.json').catch(() => undefined)
  if (reply?.ok !== true) return
  const { theme }: RuntimeConfig = await reply.json()
  const { logo, logoDark, logoWidth, logoHeight, companyName, favicon } = theme
  if (favicon !== null) document.head.append(element('link', { rel: 'icon', href: favicon }))
  if (logo === null) {
    header.replaceChildren(element('span', {}, [companyName]))
    return
  }
  const size = { width: String(logoWidth), height: String(logoHeight) }
  const image = element('img', { src: logo, alt: companyName, ...size })
  if (logoDark === undefined) image.className = 'plate'
  const dark = logoDark === undefined ? [] : [element('source', { srcset: logoDark, media: DARK })]
  header.replaceChildren(element('picture', {}, [...dark, image]))
}

const DARK = '(prefers-color-scheme: dark)'
