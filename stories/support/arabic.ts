import type { DictionaryOverrides } from '../../src/components/dictionary.ts'

export const ARABIC_QUESTION = 'لماذا تتعرج الأنهار؟'
export const ARABIC_ANSWER =
  'لا توجد ضفة مستوية تماما. حيث يلامس التيار جانبا بقوة أكبر قليلا تتراجع تلك الضفة، ويتحول الماء إلى الجانب الآخر. ومن هناك يغذي كل منعطف المنعطف الذي يليه.'

/** The words of a chat that is read in Arabic; what is left out stays English. */
export const arabic: DictionaryOverrides = {
  chat: { label: 'محادثة', transcript: 'نص المحادثة', conversation: 'محادثة', emptyTitle: 'كيف أساعدك؟', suggestions: 'اقتراحات', jump: 'إلى الأحدث' },
  message: { you: 'أنت', assistant: 'المساعد', actions: 'إجراءات الرسالة', copy: 'نسخ', copied: 'تم النسخ', regenerate: 'أجب من جديد', sending: 'جار الإرسال', waiting: 'في انتظار الجواب' },
  connection: { label: 'الاتصال', ready: 'جاهز', connecting: 'جار الاتصال', live: 'مباشر', offline: 'غير متصل' },
  announce: { generating: 'جار كتابة الجواب', complete: 'اكتمل الجواب' },
  composer: { label: 'رسالة', placeholder: 'اسأل عن الأنهار…', reply: 'رد…', send: 'إرسال', stop: 'إيقاف', hintSends: 'يرسل', hintNewLine: 'سطر جديد', hintStops: 'يوقف' },
}
