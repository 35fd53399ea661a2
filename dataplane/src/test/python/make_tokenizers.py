"""Make the second test tokenizer: a SentencePiece-style BPE whose added tokens have every awkward flag.

    python make_tokenizers.py        (needs the package `tokenizers`)

Writes ../resources/tokens/awkward. The first one (../resources/tokens/tiny) is a plain byte-level BPE with a ChatML template.
"""
import json
import os

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "resources", "tokens", "awkward")
CORPUS = [
    "You are a helpful assistant. The user asks a question about the weather in Paris.",
    "system user assistant tool function name arguments get_weather city",
    "1 2 3 4 5 6 7 8 9 0 {\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}",
] * 20
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}[INST] {{ m.content }} [/INST]"
    "{% else %}{{ m.content }}<|end|>{% endif %}{% endfor %}"
)

tok = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
tok.normalizer = normalizers.NFKC()
tok.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="first")
tok.decoder = decoders.Metaspace(replacement="\u2581", prepend_scheme="first")
trainer = trainers.BpeTrainer(
    vocab_size=640,
    special_tokens=["<unk>", "<s>", "</s>"] + [f"<0x{i:02X}>" for i in range(256)],
    show_progress=False,
)
tok.train_from_iterator(CORPUS, trainer)
tok.add_special_tokens(["[INST]", "[/INST]", "<|end|>"])
tok.add_special_tokens([AddedToken("<mask>", lstrip=True), AddedToken("<|eot|>", rstrip=True)])
tok.add_tokens(
    [
        AddedToken("<think>", normalized=False),
        AddedToken("<think>\n", normalized=False),  # begins with another one
        AddedToken("Paris!", normalized=True),
        AddedToken("city", normalized=False, single_word=True),
        AddedToken("x<s", normalized=False),  # ends with what <s> begins with
        AddedToken("[/INST]]", normalized=False),
    ]
)
tok.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", tok.token_to_id("<s>"))])
os.makedirs(OUT, exist_ok=True)
tok.save(os.path.join(OUT, "tokenizer.json"))
with open(os.path.join(OUT, "tokenizer_config.json"), "w") as f:
    json.dump(
        {"bos_token": "<s>", "eos_token": {"content": "</s>"}, "unk_token": "<unk>", "chat_template": TEMPLATE}, f, indent=1
    )
    f.write("\n")
print("vocab", tok.get_vocab_size())
