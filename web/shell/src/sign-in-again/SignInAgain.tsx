import type { LaterText } from '@sightline/client'
import { Button, buttonClass, Dialog } from '@sightline/kit'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useApplication } from '../application.ts'
import { useTranslation } from '../translation.tsx'
import { type SignInQuestion, signInQuestion } from './sign-in-question.ts'

const LOOK_EVERY_MS = 500
const WINDOW = 'popup,width=480,height=760'

/** Resolves when the sign-in in the other window returned a token of the same person. */
function useAnswer(question: SignInQuestion) {
  const { session } = useApplication()
  const [other, setOther] = useState<string>()
  useEffect(() => {
    let seen = question.dead
    const look = async () => {
      const token = session.token()
      if (token === undefined || token === seen) return
      seen = token
      const person = await question.check(token)
      if (person === undefined) return
      if (question.person !== undefined && person.userId !== question.person.userId) return setOther(person.email)
      session.take()
      signInQuestion.answer(true)
    }
    const timer = setInterval(() => void look(), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [session, question])
  return other
}

function Question({ question }: { question: SignInQuestion }) {
  const { session } = useApplication()
  const t = useTranslation<LaterText>()
  const other = useAnswer(question)
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    void session.signInBeside().then(setAddress)
  }, [session])
  return (
    <Dialog
      open
      title={t('Sign in to continue')}
      footer={
        <>
          <Button variant="secondary" onClick={() => signInQuestion.answer(false)}>
            {t('Discard changes')}
          </Button>
          <a
            data-first
            href={address}
            target="_blank"
            rel="noopener opener"
            className={buttonClass()}
            onClick={(event) => {
              // A small window where the browser allows one; else the link opens a tab.
              if (address !== undefined && window.open(address, 'sign-in', WINDOW) !== null) event.preventDefault()
            }}
          >
            {t('Sign in')}
          </a>
        </>
      }
    >
      <p>{t("You've been signed out. Your changes are still here. To save them, sign in again in a new window.")}</p>
      <p role="status" className="mt-3 text-danger-text">
        {other === undefined
          ? null
          : t('You signed in as {other}. Sign in as {email} to save these changes.', {
              other,
              email: question.person?.email ?? '',
            })}
      </p>
    </Dialog>
  )
}

/** Asks the user to sign in again in a separate window, so that their input isn't lost. */
export function SignInAgain() {
  const question = useSyncExternalStore(signInQuestion.subscribe, signInQuestion.current)
  return question === undefined ? null : <Question question={question} />
}
