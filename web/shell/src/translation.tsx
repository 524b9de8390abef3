import type { I18n } from '@lingui/core'
import type { SharedText } from '@sightline/client'
import { KitTextProvider } from '@sightline/kit'
import { createContext, type ReactNode, startTransition, useContext, useEffect, useState } from 'react'
import { createTranslation, type Translation } from './translate.ts'

export type { Translation } from './translate.ts'

const Spoken = createContext<Translation<string> | undefined>(undefined)

/** The current texts. It is a new object after each change of language and when late texts have loaded. */
export interface TranslationStore {
  current(): Translation<string>
  subscribe(listener: () => void): () => void
}

export function createTranslationStore(i18n: I18n): TranslationStore {
  let translation = createTranslation<string>(i18n)
  const listeners = new Set<() => void>()
  i18n.on('change', () => {
    translation = createTranslation(i18n)
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
 * Provides the current language to all components inside, including the kit. A change renders in a transition, because
 * it affects the whole page.
 */
export function TranslationProvider({ words, children }: { words: TranslationStore; children: ReactNode }) {
  const [translation, setTranslation] = useState<Translation<string>>(words.current)
  useEffect(() => {
    const follow = () => startTransition(() => setTranslation(words.current))
    // The language may have changed since this rendered.
    follow()
    return words.subscribe(follow)
  }, [words])
  return (
    <Spoken value={translation}>
      <KitTextProvider translate={translation}>{children}</KitTextProvider>
    </Spoken>
  )
}

/** Stable until the language changes; then components render again. An app passes the type of its own catalog. */
export function useTranslation<Text extends string = SharedText>(): Translation<Text> {
  const translation = useContext(Spoken)
  if (translation === undefined) throw new Error('useTranslation outside of TranslationProvider')
  return translation
}
