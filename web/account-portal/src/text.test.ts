import later from '@sightline/client/later/locales/en.json' with { type: 'json' }
import english from '@sightline/client/locales/en.json' with { type: 'json' }
import { compileCatalogue } from '@sightline/client/vite'
import { errorCatalogue } from '@sightline/contract/errors'
import { customMessages, getErrorMessage } from '@sightline/contract/errors/messages'
import { kitTexts, laterKitTexts } from '@sightline/kit'
import { describe, expect, it } from 'vitest'

describe('catalogues', () => {
  it('hold every text of the error catalogue', () => {
    const codes = Object.values(errorCatalogue).map((error) => error.code)
    const own = Object.values(customMessages).flatMap((messages) => Object.values(messages))
    const texts = [...own, ...codes.map((code) => getErrorMessage(undefined, code))]
    expect(texts.filter((text) => !(text in english || text in later))).toEqual([])
  })

  it('hold every text that the kit says', () => {
    expect(kitTexts.filter((text) => !(text in english))).toEqual([])
    expect(laterKitTexts.filter((text) => !(text in later))).toEqual([])
  })

  it('compile to tokens, without what is its own key', () => {
    expect(compileCatalogue({ Save: 'Save', 'Hello {name}': 'Dag {name}' })).toBe('{"Hello {name}":["Dag ",["name"]]}')
  })
})
