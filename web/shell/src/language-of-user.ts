import { languageChosenHere } from '@sightline/client'
import { firstPartyClients } from '@sightline/contract/runtime-config'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { accountQueries } from './account-queries.ts'
import { useApplication } from './application.ts'

/**
 * Uses the language stored on the server: after each sign-in, regardless of who used this browser before, and if none
 * was chosen in this browser. Later in a session, only the menu changes the language.
 */
export function useLanguageOfUser(): void {
  const { client, name, languages, justSignedIn } = useApplication()
  // Staff have no stored details.
  const enabled = firstPartyClients[name].serves === 'members'
  const language = useQuery({ ...accountQueries(client).details, enabled }).data?.language
  const isFollowed = useRef(false)
  useEffect(() => {
    if (language === undefined || isFollowed.current) return
    isFollowed.current = true
    if (!justSignedIn && languageChosenHere() !== undefined) return
    // If its texts fail to load, the page keeps its current language.
    languages.follow(language).catch(() => undefined)
  }, [language, languages, justSignedIn])
}
