/** A violation put into a copy of the tree, and who must find it there. */
export interface Planted {
  /** Name in list.ts. */
  readonly check: string
  /** Name of the rule as its checker prints it; for a check of our own, words of its message. */
  readonly rule: string
  /** What else must stand in the same line of the report: the file it is in. */
  readonly names: string
  /** Written into the copy, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Changes a file that is there; what it returns replaces it. */
  readonly edit?: { readonly file: string; readonly change: (text: string) => string }
}
