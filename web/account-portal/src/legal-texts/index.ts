/** The brand's legal texts, which need no sign-in. */
export { SubscriptionAgreement, Terms, ThirdPartyTerms } from './LegalPage.tsx'
