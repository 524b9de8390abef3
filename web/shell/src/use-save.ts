import { ApiFailure } from '@sightline/client'
import { useApplication } from './application.ts'
import { useTranslation } from './translation.tsx'

/** What became of a call that changes something. */
export type Saved<Reply> = { readonly saved: Reply } | { readonly failure: ApiFailure }

interface Telling<Name extends string> {
  /** What is said when it is done, translated already; nothing is said without it. */
  readonly success?: string
  /** What is said for a code in place of the catalogue's text, translated already. */
  readonly messages?: Readonly<Record<number, string>>
  /** The form behind it: what the server found wrong with a field stands under that field too. */
  readonly form?: {
    readonly fields: readonly Name[]
    /** Which field a code of the catalogue is about, as 5 is about a name that is taken. */
    readonly fieldOfCode?: Readonly<Record<number, Name>>
    refuse(problems: { readonly [K in Name]?: string }): void
  }
}

/** What the server found wrong with each of these fields, by the field's name; a fault elsewhere is not among them. */
export function faultsOf<Name extends string>(
  failure: ApiFailure,
  names: readonly Name[],
): { readonly [K in Name]?: string } {
  const faults = failure.fields.flatMap(({ field, message }) => {
    const name = names.find((one) => field === one || field === `body.${one}`)
    return name === undefined ? [] : [[name, message] as const]
  })
  return Object.fromEntries(faults) as { [K in Name]?: string }
}

/**
 * Saves and tells: a success leaves by itself, an error stays and says what the catalogue has for its operation and code
 * (specification §8). A session that ended needs no message. Only an {@link ApiFailure} is expected; a bug still throws.
 */
export function useSave() {
  const { snackBar } = useApplication()
  const t = useTranslation()
  return async <Reply, Name extends string = never>(
    work: () => Promise<Reply>,
    { success, messages, form }: Telling<Name> = {},
  ): Promise<Saved<Reply>> => {
    // What went wrong before is being tried again.
    snackBar.closeErrors()
    try {
      const saved = await work()
      if (success !== undefined) snackBar.success(success)
      return { saved }
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.sessionEnded) return { failure }
      const about = form?.fieldOfCode?.[failure.code]
      const message = messages?.[failure.code] ?? failure.message
      form?.refuse(
        about === undefined ? faultsOf(failure, form.fields) : ({ [about]: message } as { [K in Name]?: string }),
      )
      snackBar.error(t.message(message))
      return { failure }
    }
  }
}
