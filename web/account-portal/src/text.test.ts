import english from '@sightline/client/locales/en.json' with { type: 'json' }
import dutch from '@sightline/client/locales/nl.json' with { type: 'json' }
import { compileCatalogue } from '@sightline/client/vite'
import { errorCatalogue } from '@sightline/contract/errors'
import { customMessages, messageFor } from '@sightline/contract/errors/messages'
import { kitTexts } from '@sightline/kit'
import { describe, expect, it } from 'vitest'
import portalEnglish from './locales/en.json' with { type: 'json' }
import portalDutch from './locales/nl.json' with { type: 'json' }

const places = (text: string) => [...text.matchAll(/\{(\w+)/g)].map((match) => match[1]).sort()

describe('catalogues', () => {
  it.each([
    ['shared', english, dutch],
    ['account portal', portalEnglish, portalDutch],
  ])('%s: every language has the same texts with the same places', (_, one: Record<string, string>, other) => {
    expect(Object.keys(other)).toEqual(Object.keys(one))
    for (const [key, text] of Object.entries<string>(other)) expect(places(text), key).toEqual(places(key))
    for (const [key, text] of Object.entries(one)) expect(text).toBe(key)
  })

  it('hold every text of the error catalogue', () => {
    const codes = Object.values(errorCatalogue).map((error) => error.code)
    const own = Object.values(customMessages).flatMap((messages) => Object.values(messages))
    const texts = [...own, ...codes.map((code) => messageFor(undefined, code))]
    expect(texts.filter((text) => !(text in english))).toEqual([])
  })

  it('hold every text that the kit says', () => {
    expect(kitTexts.filter((text) => !(text in english))).toEqual([])
  })

  it('compile to tokens, without what is its own key', () => {
    expect(compileCatalogue({ Save: 'Save', 'Hello {name}': 'Dag {name}' })).toBe(
      'export const messages={"Hello {name}":["Dag ",["name"]]}',
    )
  })
})
