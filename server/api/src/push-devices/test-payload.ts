import type { PushPayload } from '@sightline/contract/push-devices'
import de from './locales/de.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import ja from './locales/ja.json' with { type: 'json' }
import nl from './locales/nl.json' with { type: 'json' }
import pl from './locales/pl.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }
import tr from './locales/tr.json' with { type: 'json' }

const languages: ReadonlyMap<string, typeof en> = new Map(Object.entries({ de, en, es, ja, nl, pl, pt, tr }))

/** What shows that messages arrive, in the reader's language. */
export function testPayload(wanted: string): PushPayload {
  const language = languages.has(wanted) ? wanted : 'en'
  return { ...(languages.get(wanted) ?? en), path: '/app/', tag: 'test', language }
}
