//! Providers of models, and what is built around them.

super::forms! {
    "anthropic-key" "sk-ant-" Token 16 Mixed hides ["sk-ant-api03-{93}AA", "sk-ant-admin01-{93}"], keeps ["sk-ant-x"];
    "openai-project-key" "sk-proj-" Token 16 Mixed hides ["sk-proj-{124}"], keeps ["sk-pro"];
    "openai-service-key" "sk-svcacct-" Token 16 Mixed hides ["sk-svcacct-{100}"], keeps ["sk-svc"];
    "openai-admin-key" "sk-admin-" Token 16 Mixed hides ["sk-admin-{100}"], keeps ["sk-adm"];
    "openrouter-key" "sk-or-v1-" Hex 32 Mixed hides ["sk-or-v1-{64}"], keeps ["sk-or"];
    "langfuse-secret-key" "sk-lf-" Hex 30 Mixed hides ["sk-lf-{H8}-{H4}-{H4}-{H4}-{H12}"], keeps ["sk-lf"];
    "helicone-key" "sk-helicone-" Token 16 Mixed hides ["sk-helicone-{H7}-{H7}-{H7}-{H7}"], keeps ["sk-hel"];
    "api-key" "sk-" Token 8 NotCss hides ["sk-{48}", "sk-abcd1234", "sk-{24}T3BlbkFJ{20}"],
        keeps ["sk-abc", "task-abcdefgh12345678", "sk-container-id-1", "sk-fading-circle", "sk-toggleable__label"];
    "elevenlabs-key" "sk_" Hex 40 Mixed hides ["sk_{48}"], keeps ["sk_buff", "sk_deadbeef"];
    "groq-key" "gsk_" Token 10 Mixed hides ["gsk_{52}", "gsk_{16}1234"], keeps ["gsk_render_node_get_node_type"];
    "perplexity-key" "pplx-" Token 10 NotModel hides ["pplx-{48}", "pplx-abcdefghijklmnop"], keeps ["pplx-abc", "pplx-70b-online", "pplx-7b-chat-alpha"];
    "xai-key" "xai-" Alnum 40 None hides ["xai-{80}"], keeps ["xai-grok"];
    "huggingface-token" "hf_" Alnum 30 Mixed hides ["hf_{34}"], keeps ["hf_hub_download", "hf_transfer"];
    "huggingface-organisation-token" "api_org_" Alnum 30 Mixed hides ["api_org_{34}"], keeps ["api_org_name"];
    "replicate-token" "r8_" Alnum 30 Mixed hides ["r8_{37}"], keeps ["r8_unorm"];
    "nvidia-key" "nvapi-" Token 30 Mixed hides ["nvapi-{64}"], keeps ["nvapi-x"];
    "google-api-key" "AIza" Token 20 None hides ["AIza{35}"], keeps ["AIzaShort"];
    "fireworks-key" "fw_" Alnum 20 Random hides ["fw_{24}"], keeps ["fw_version", "fw_cfg_add_file", "fw_devlinkinitialisation"];
    "together-key" "tgp_v1_" Token 30 Mixed hides ["tgp_v1_{43}"], keeps ["tgp_v1_x"];
    "cerebras-key" "csk-" Lower 40 Mixed hides ["csk-{48}"], keeps ["csk-x"];
    "langsmith-key" "lsv2_pt_" AlnumLow 30 Mixed hides ["lsv2_pt_{H32}_{H10}"], keeps ["lsv2_pt_x"];
    "langsmith-service-key" "lsv2_sk_" AlnumLow 30 Mixed hides ["lsv2_sk_{H32}_{H10}"], keeps ["lsv2_sk_x"];
    "wandb-key" "wandb_v1_" AlnumLow 40 Mixed hides ["wandb_v1_{77}"], keeps ["wandb_v1_x"];
    "pinecone-key" "pcsk_" AlnumLow 40 Mixed hides ["pcsk_{5}_{64}"], keeps ["pcsk_x"];
    "voyage-key" "pa-" Token 40 Random hides ["pa-{43}"], keeps ["pa-volume", "pa-russian"];
    "jina-key" "jina_" Token 40 Random hides ["jina_{H32}{27}"], keeps ["jina_embeddings_v2_base_en_for_the_long_documents"];
    "tavily-key" "tvly-" Token 20 Random hides ["tvly-{32}", "tvly-dev-{32}"], keeps ["tvly-search"];
    "firecrawl-key" "fc-" Hex 32 Mixed hides ["fc-{32}"], keeps ["fc-list", "fc-cache"];
    "e2b-key" "e2b_" Hex 40 Mixed hides ["e2b_{40}"], keeps ["e2b_x"];
    "modal-token-secret" "as-" Alnum 22 Random hides ["as-{22}"], keeps ["as-is", "as-pattern"];
    "modal-token-id" "ak-" Alnum 22 Random hides ["ak-{22}"], keeps ["ak-x"];
    "anyscale-key" "esecret_" Lower 24 Mixed hides ["esecret_{28}"], keeps ["esecret_x"];
    "databricks-token" "dapi" Hex 32 Mixed hides ["dapi{32}", "dapi{32}-2"], keeps ["dapi-mode", "dapi"];
    "databricks-oauth-secret" "dose" Hex 32 Mixed hides ["dose{32}"], keeps ["dose", "dosed"];
    "friendli-token" "flp_" Alnum 40 Mixed hides ["flp_{46}"], keeps ["flp_x"];
    "predibase-token" "pb_" Token 22 Random hides ["pb_{22}"], keeps ["pb_value_of_the_message_field", "pb_size"];
    "mem0-key" "m0-" Alnum 36 Mixed hides ["m0-{40}"], keeps ["m0-core"];
    "langchain-key" "ls__" Hex 32 Mixed hides ["ls__{32}"], keeps ["ls__x"];
    "bedrock-key" "ABSK" Base64 80 Mixed hides ["ABSK{124}"], keeps ["ABSK"];
    "zapier-key" "sk-ak-" Token 20 Mixed hides ["sk-ak-{40}"], keeps ["sk-ak"];
    "unkey-root-key" "unkey_" Alnum 20 Random hides ["unkey_{24}"], keeps ["unkey_verification_middleware"];
    "replit-token" "rpk_" Token 30 Random hides ["rpk_{40}"], keeps ["rpk_x"];
    "baseten-key" "bt-" Token 40 Random hides ["bt-{51}"], keeps ["bt-audio"];
    "galileo-key" "glk_" Token 30 Random hides ["glk_{40}"], keeps ["glk_x"];
    "portkey-key" "pk-portkey-" Token 20 Random hides ["pk-portkey-{28}"], keeps ["pk-portkey-x"];
    "vapi-key" "vapi_" Token 30 Random hides ["vapi_{40}"], keeps ["vapi_x"];
    "browserbase-key" "bb_live_" Token 20 Random hides ["bb_live_{28}"], keeps ["bb_live_view_of_the_whole_session"];
    "browserbase-test-key" "bb_test_" Token 20 Random hides ["bb_test_{28}"], keeps ["bb_test_view_of_the_whole_session"];
    "composio-key" "comp_" Alnum 20 Random hides ["comp_{24}"], keeps ["comp_unit_name", "comp_declaration_attributes"];
    "cursor-key" "key_" Hex 48 Mixed hides ["key_{64}"], keeps ["key_deadbeef", "key_of"];
}
