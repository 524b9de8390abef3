import { type Translation, useTranslation } from '@sightline/shell'
import type { Text as AppText } from '../text.ts'
import type english from './locales/en.json'

type Text = keyof typeof english | AppText

export const useText: () => Translation<Text> = useTranslation
