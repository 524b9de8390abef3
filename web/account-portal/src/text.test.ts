import later from '@sightline/client/later/locales/en.json' with { type: 'json' }
import english from '@sightline/client/locales/en.json' with { type: 'json' }
import { compileCatalogue } from '@sightline/client/vite'
import { errorCatalogue } from '@sightline/contract/errors'
import { customMessages, getErrorMessage } from '@sightline/contract/errors/messages'
import { kitTexts, laterKitTexts } from '@sightline/kit'
import { describe, expect, it } from 'vitest'

describe('catalogs', () => {
  it('contain every text of the error catalog', () => {
    const codes = Object.values(errorCatalogue).map((error) => error.code)
    const own = Object.values(customMessages).flatMap((messages) => Object.values(messages))
    const texts = [...own, ...codes.map((code) => getErrorMessage(undefined, code))]
    expect(texts.filter((text) => !(text in english || text in later))).toEqual([])
  })

  it('contain every text of the kit', () => {
    expect(kitTexts.filter((text) => !(text in english))).toEqual([])
    expect(laterKitTexts.filter((text) => !(text in later))).toEqual([])
  })

  it('compile to tokens, without messages equal to their key', () => {
    expect(compileCatalogue({ Save: 'Save', 'Hello {name}': 'Dag {name}' })).toBe('{"Hello {name}":["Dag ",["name"]]}')
  })
})
