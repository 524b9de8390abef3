import { languageChosenHere } from '@sightline/client'
import { firstPartyClients } from '@sightline/contract/runtime-config'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { accountQueries } from './account-queries.ts'
import { useApplication } from './application.ts'

/**
 * Speaks the language that is kept on the server: after each sign-in, whoever used this browser before, and wherever
 * none was chosen in it. Later in a session only the menu changes the language.
 */
export function useLanguageOfUser(): void {
  const { client, name, languages, justSignedIn } = useApplication()
  // Staff keep no details that an application could ask for.
  const enabled = firstPartyClients[name].serves === 'members'
  const language = useQuery({ ...accountQueries(client).details, enabled }).data?.language
  const isFollowed = useRef(false)
  useEffect(() => {
    if (language === undefined || isFollowed.current) return
    isFollowed.current = true
    if (!justSignedIn && languageChosenHere() !== undefined) return
    // Where its texts cannot be loaded, the page goes on in the language it speaks.
    languages.follow(language).catch(() => undefined)
  }, [language, languages, justSignedIn])
}
