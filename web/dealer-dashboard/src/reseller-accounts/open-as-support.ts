import { lendSession } from '@sightline/client'
import { firstPartyClients } from '@sightline/contract/runtime-config'
import { postSupportToken } from '@sightline/contract/support-sessions'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { resellerQuery } from '../resellers/index.ts'
import { ownStaffQuery } from '../shell/own-staff.ts'
import { type AccountIds, refetchAccount } from './account-queries.ts'

/** Starts a support session as a user of the account and opens the Web App with it. */
export function useOpenAsSupport(place: AccountIds) {
  const { client, config, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const open = async (userId: number) => {
    setBusy(true)
    const outcome = await save(() => client.call(postSupportToken, { params: { ...place, userId }, body: {} }))
    if ('saved' in outcome) {
      const { access_token: token, expires_in: expiresIn } = outcome.saved
      const path = firstPartyClients.cameraApp.redirectPath
      lendSession({ appId: config.clientIds.cameraApp, path }, { token, expiresIn })
      window.location.assign(path)
      return
    }
    setBusy(false)
    // The preconditions may have changed meanwhile: then the card shows what is missing.
    refetchAccount(queries, place)
    void queries.invalidateQueries({ queryKey: resellerQuery(client, place.resellerId).queryKey })
    void queries.invalidateQueries({ queryKey: ownStaffQuery(client).queryKey })
  }
  return { open, busy }
}
