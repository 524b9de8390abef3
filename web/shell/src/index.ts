export { PublicFrame, SignedInFrame } from './ApplicationFrame.tsx'
export { accountQueries } from './account-queries.ts'
export { AgreementFirst } from './agreements/AgreementFirst.tsx'
export { type Application, useApplication, whenSessionEnds } from './application.ts'
export { byteSize } from './byte-size.ts'
export { useConnectionLost } from './ConnectionLost.tsx'
export { deletionQuery } from './deletion/deletion-query.ts'
export { useDay } from './deletion/use-day.ts'
export { useKeep } from './deletion/use-keep.ts'
export { download } from './download.ts'
export { KeptSideMenu } from './KeptSideMenu.tsx'
export { Loaded } from './Loaded.tsx'
export { LoadFailed, PageFailed } from './LoadFailed.tsx'
export { useLanguageOfUser } from './language-of-user.ts'
export {
  type ListSearch,
  type ListState,
  type ListStateStore,
  listSearch,
  parseListState,
} from './list-state.ts'
export { useMay, useOwnMember } from './own-member.ts'
export { usePageTitle } from './page-title.ts'
export { lazyRoutes, signedInFirst } from './routes.ts'
export { SaveCard } from './SaveCard.tsx'
export { Screen } from './Screen.tsx'
export { LazySignInAgain } from './sign-in-again/LazySignInAgain.tsx'
export { type Translation, useTranslation } from './translation.tsx'
export { UnsavedChanges } from './UnsavedChanges.tsx'
export { useAllTexts } from './use-all-texts.ts'
export { useOptimistic } from './use-optimistic.ts'
export { fieldErrors, type SaveResult, useSave } from './use-save.ts'
export { useServerRows } from './use-server-rows.ts'
export { createView } from './view.tsx'
