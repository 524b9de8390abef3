import { confirmByPasskey, type PasskeyProof, type Passkeys } from '@sightline/contract/passkeys'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { answerByPasskey } from './in-browser.ts'
import { usePasskeyText } from './text.ts'

/** The error codes of a wrong password, code or passkey. */
const WRONG = 8

/** Proves that the user is present, with the field or with a passkey of this browser. */
export function useProof({ proof, host, passkeys }: Passkeys) {
  const { client } = useApplication()
  const t = usePasskeyText()
  const save = useSave()
  const [refused, setRefused] = useState(false)
  return {
    /** The user has a passkey for this address. */
    canUsePasskey: passkeys.some((one) => one.host === host),
    /** The browser returned no passkey. */
    refused,
    typed: (text: string): PasskeyProof => (proof === 'password' ? { password: text } : { code: text }),
    async byPasskey(): Promise<PasskeyProof | undefined> {
      setRefused(false)
      const asked = await save(() => client.call(confirmByPasskey))
      if ('failure' in asked) return undefined
      const answer = await answerByPasskey(asked.saved)
      if (typeof answer !== 'string') return { passkey: answer }
      setRefused(true)
      return undefined
    },
    /** The message for a wrong proof. */
    messages: {
      [WRONG]: t(proof === 'password' ? 'Incorrect password' : 'This code is incorrect or was already used'),
    },
    fieldOfCode: { [WRONG]: 'proof' as const },
  }
}
