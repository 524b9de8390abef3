import type english from '../locales/en.json'

/** The texts that every app has a translation of: what kit and shell say. What can go wrong is in `errors/locales`. */
export type SharedText = keyof typeof english
