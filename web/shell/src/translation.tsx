import type { I18n } from '@lingui/core'
import type { SharedText } from '@sightline/client'
import { KitTextProvider } from '@sightline/kit'
import { createContext, type ReactNode, startTransition, useContext, useEffect, useState } from 'react'
import { type Translation, translationOf } from './translate.ts'

export type { Translation } from './translate.ts'

const Spoken = createContext<Translation<string> | undefined>(undefined)

/** What is said now; another object after each change of language, and when texts have come that were not there. */
export interface Words {
  current(): Translation<string>
  subscribe(listener: () => void): () => void
}

export function wordsOf(i18n: I18n): Words {
  let translation = translationOf<string>(i18n)
  const listeners = new Set<() => void>()
  i18n.on('change', () => {
    translation = translationOf(i18n)
    for (const listener of listeners) listener()
  })
  return {
    current: () => translation,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * Makes everything inside, kit included, speak the language shown. A change is drawn in small steps, because it is one of
 * every part of the page.
 */
export function TranslationProvider({ words, children }: { words: Words; children: ReactNode }) {
  const [translation, setTranslation] = useState<Translation<string>>(words.current)
  useEffect(() => {
    const follow = () => startTransition(() => setTranslation(words.current))
    // It may have changed since this was drawn.
    follow()
    return words.subscribe(follow)
  }, [words])
  return (
    <Spoken value={translation}>
      <KitTextProvider translate={translation}>{children}</KitTextProvider>
    </Spoken>
  )
}

/** Draws again when the language changes, and is the same until then. An app gives it the texts of its own catalogue. */
export function useTranslation<Text extends string = SharedText>(): Translation<Text> {
  const translation = useContext(Spoken)
  if (translation === undefined) throw new Error('useTranslation outside of TranslationProvider')
  return translation
}
