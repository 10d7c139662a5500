import type { AgentErrorMessages, ErrorMessages } from '../dictionary/error-messages.ts'
import { plural, time } from './arabic-measures.ts'

export const errorMessages: ErrorMessages = {
  network_error: (_, attempts) => ({
    title:
      attempts > 1
        ? plural(attempts, {
            two: 'تعذّر الوصول إلى المساعد بعد محاولتين',
            few: 'تعذّر الوصول إلى المساعد بعد # محاولات',
            other: 'تعذّر الوصول إلى المساعد بعد # محاولة',
          })
        : 'تعذّر الوصول إلى المساعد',
    text: 'تحقق من اتصالك وحاول مجددًا.',
  }),
  timeout: { title: 'انتهت مهلة الرد', text: 'استغرق المساعد وقتًا طويلًا. حاول مجددًا.' },
  truncated: { title: 'انقطع الاتصال', text: 'قد يكون الرد غير مكتمل.' },
  delivery_unknown: {
    title: 'ربما وصلت رسالتك',
    text: 'انقطع الاتصال قبل أن يؤكد المساعد استلامها. قد يؤدي إرسالها مجددًا إلى تكرار العمل.',
  },
  unexpected_content_type: { title: 'رد غير متوقع', text: 'قد تحتاج إلى تسجيل الدخول إلى هذه الشبكة أولًا.' },
  frame_too_large: { title: 'جزء من الرد كبير جدًا', text: 'لا يمكن لهذا التطبيق عرضه.' },
  response_too_large: { title: 'الرد طويل جدًا', text: 'جرّب طلب رد أقصر.' },
  invalid_json: { title: 'تعذّرت قراءة الرد', text: 'وصل بتنسيق غير متوقع.' },
  invalid_packet: { title: 'تعذّرت قراءة جزء من الرد', text: 'وصل بتنسيق غير متوقع.' },
  unknown_op: { title: 'محتوى غير مدعوم', text: 'قد يحتاج هذا التطبيق إلى تحديث.' },
  invalid_response: { title: 'رد غير صالح', text: 'لا يدعم هذا التطبيق تنسيقه.' },
  invalid_request: { title: 'لم تُرسل الرسالة', text: 'توجد مشكلة في هذا التطبيق.' },
  invalid_config: { title: 'لم يُضبط هذا التطبيق بشكل صحيح', text: 'تواصل مع فريق دعم التطبيق.' },
  http_error: ({ status = 500 }) =>
    status >= 400 && status < 500
      ? { title: 'رُفض الطلب', text: 'من غير المرجح أن تفيد إعادة المحاولة.' }
      : { title: 'حدثت مشكلة في الخادم', text: 'حاول مجددًا.' },
  unauthorized: { title: 'سجّل الدخول', text: 'لم تسجّل الدخول، أو انتهت جلستك.' },
  forbidden: { title: 'تم رفض الوصول', text: 'ليست لديك صلاحية استخدام هذا المساعد.' },
  not_found: { title: 'لم يُعثر على المساعد', text: 'ربما نُقل أو أُزيل.' },
  rate_limited: ({ retryAfterMs }) => ({
    title: 'طلبات كثيرة جدًا',
    text:
      retryAfterMs === 0
        ? 'يمكنك المحاولة مجددًا الآن.'
        : `حاول مجددًا بعد ${retryAfterMs === undefined ? 'قليل' : time(retryAfterMs)}.`,
  }),
  log_expired: { title: 'لا يمكن استئناف هذا الرد', text: 'أعد طرح سؤالك للحصول على رد جديد.' },
  agent_error: ({ message }) => ({ title: 'أبلغ المساعد عن مشكلة', text: message }),
  restarted: { title: 'أُعيد بدء الرد', text: 'لا يتطابق الجزآن. أعد طرح سؤالك.' },
  storage_full: { title: 'نفدت مساحة التخزين في الخادم', text: 'حاول مرة أخرى لاحقًا.' },
  storage_corrupt: { title: 'بيانات الخادم تالفة', text: 'يرجى التواصل مع فريق الدعم.' },
  storage_unavailable: { title: 'لا يمكن للخادم حفظ أي شيء', text: 'حاول مرة أخرى لاحقًا.' },
  busy: { title: 'ما زال الرد قيد الإنشاء', text: 'انتظر حتى ينتهي، أو أوقفه أولًا.' },
  app_error: { title: 'حدث خطأ ما', text: 'توجد مشكلة في هذا التطبيق. حاول مجددًا.' },
}

const notResponding = { title: 'خدمة مطلوبة لا تستجيب', text: 'حاول مجددًا.' }
const blocked = { title: 'حظره فحص السلامة', text: 'جرّب صياغة سؤالك بطريقة أخرى.' }

export const agentErrorMessages: AgentErrorMessages = {
  internal_error: { title: 'واجه المساعد مشكلة', text: 'حاول مجددًا.' },
  upstream_timeout: notResponding,
  toxicity_detected: blocked,
  cancel_unconfirmed: { title: 'لم يُؤكَّد الإيقاف', text: 'قد يكون المساعد ما زال يعمل.' },
  model_unavailable: notResponding,
  model_content_filtered: blocked,
  model_quota_exceeded: { title: 'تم بلوغ حد الاستخدام', text: 'حاول مرة أخرى لاحقًا.' },
  model_context_too_long: { title: 'هذه المحادثة طويلة جدًا', text: 'ابدأ محادثة جديدة، أو أرسل محتوى أقل.' },
  model_step_limit: { title: 'الرد غير مكتمل', text: 'بلغ المساعد الحد الأقصى لعدد الخطوات.' },
  unstructured_error: { title: 'حدث خطأ ما', text: 'راجع التفاصيل.' },
}
