import { ApiFailure } from '@sightline/client'
import { useApplication } from './application.ts'
import { useTranslation } from './translation.tsx'

/** The result of a call that changes something. */
export type SaveResult<Reply> = { readonly saved: Reply } | { readonly failure: ApiFailure }

interface Telling<Name extends string> {
  /** Translated message after success; without it, there is no message. */
  readonly success?: string
  /** Translated messages that replace the catalog's text for a code. */
  readonly messages?: Readonly<Record<number, string>>
  /** The form of this call: the server's validation errors also appear under their fields. */
  readonly form?: {
    readonly fields: readonly Name[]
    /** Which field a code of the catalog concerns, for example 5 for a name that already exists. */
    readonly fieldOfCode?: Readonly<Record<number, Name>>
    refuse(problems: { readonly [K in Name]?: string }): void
    /** What appears under a field is all there is to say: no message besides. */
    readonly isEnough?: boolean
  }
}

/** The server's validation errors for these fields, by field name. Other errors are not included. */
export function fieldErrors<Name extends string>(
  failure: ApiFailure,
  names: readonly Name[],
): { readonly [K in Name]?: string } {
  const faults = failure.fields.flatMap(({ field, message }) => {
    const name = names.find((one) => field === one || field === `body.${one}`)
    return name === undefined ? [] : [[name, message] as const]
  })
  return Object.fromEntries(faults) as { [K in Name]?: string }
}

/** Shows the errors under their fields; whether nothing else is to be said. */
function showsAtFields<Name extends string>(
  failure: ApiFailure,
  form: Telling<Name>['form'],
  message: string,
): boolean {
  if (form === undefined) return false
  const about = form.fieldOfCode?.[failure.code]
  const faults =
    about === undefined ? fieldErrors(failure, form.fields) : ({ [about]: message } as { [K in Name]?: string })
  form.refuse(faults)
  return form.isEnough === true && Object.keys(faults).length > 0
}

/**
 * Saves and reports the result. A success message disappears after a while; an error stays and has the catalog's text
 * for its operation and code (specification §8). A session that ended needs no message. Only an {@link ApiFailure} is
 * expected; a bug still throws.
 */
export function useSave() {
  const { snackBar } = useApplication()
  const t = useTranslation()
  return async <Reply, Name extends string = never>(
    work: () => Promise<Reply>,
    { success, messages, form }: Telling<Name> = {},
  ): Promise<SaveResult<Reply>> => {
    // Clears the previous error, because this is a new attempt.
    snackBar.closeErrors()
    try {
      const saved = await work()
      if (success !== undefined) snackBar.success(success)
      return { saved }
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.sessionEnded) return { failure }
      const message = messages?.[failure.code] ?? failure.message
      if (!showsAtFields(failure, form, message)) snackBar.error(t.message(message))
      return { failure }
    }
  }
}
