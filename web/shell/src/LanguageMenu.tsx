import { ApiFailure, type LaterText, type SharedText } from '@sightline/client'
import { languageCode, patchUserDetails } from '@sightline/contract/user-details'
import { Icon, Menu } from '@sightline/kit'
import * as z from 'zod/mini'
import { accountQueries } from './account-queries.ts'
import { useApplication } from './application.ts'
import { useTranslation } from './translation.tsx'

/**
 * Changes the language immediately. For a signed-in user, it also applies to emails, other applications and devices.
 */
export function LanguageMenu({ signedIn }: { signedIn: boolean }) {
  const { languages, client, queries, snackBar } = useApplication()
  const t = useTranslation<SharedText | LaterText>()
  const keep = async (code: string) => {
    try {
      const details = await client.call(patchUserDetails, { body: { language: z.parse(languageCode, code) } })
      queries.setQueryData(accountQueries(client).details.queryKey, details)
    } catch (failure) {
      // The page uses the chosen language even if it can't be stored for the user, so there is no error to show.
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code !== 9 && !failure.sessionEnded) snackBar.error(t.message(failure.message))
    }
  }
  const choose = async (code: string) => {
    try {
      await languages.choose(code)
    } catch {
      snackBar.error(t("Couldn't load this language. Check your connection and try again."))
      return
    }
    if (signedIn) await keep(code)
  }
  return (
    <Menu
      label={t('Language')}
      trigger={<Icon name="globe" />}
      triggerClass="inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
      align="end"
      items={languages.choices.map(({ code, name }) => ({
        label: name,
        current: code === languages.current(),
        onSelect: () => void choose(code),
      }))}
    />
  )
}
